"""The forms of accounts: allauth's, in the site's words and look, and two of our own."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.mfa.base import forms as second
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from games import digits, two_factor
from games.models import Player

PASSWORD_HINT = _("At least 10 characters.")
EMAIL_LENGTH = 254  # characters: what a column for an address holds
CODE_LENGTH = 40  # characters of a code as it may be typed, with blanks
LOGIN_LENGTH = 80  # marks and stretched letters may be typed at log-in; the key drops them


class ToldField(forms.BoundField):
    """A field whose hint gives way to its error, on the page and for who listens."""

    @property
    def aria_describedby(self) -> str:
        return f"{self.auto_id}_error" if self.errors else super().aria_describedby


class Look:
    """Fields drawn as the look has them. ``texts`` gives (label, hint) by the field's name."""

    bound_field_class = ToldField
    texts: dict[str, tuple[Any, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.widget.attrs["class"] = "input"
            if name in self.texts:
                field.label, field.help_text = self.texts[name]
            if isinstance(field, forms.EmailField):
                field.widget.attrs |= {"dir": "ltr", "maxlength": EMAIL_LENGTH}
                field.validators.append(MaxLengthValidator(EMAIL_LENGTH))


class NameInput(forms.TextInput):
    """Where a name is typed: in either direction, and left as it is typed."""

    def __init__(self) -> None:
        super().__init__(
            {
                "autocomplete": "username",
                "autocapitalize": "none",
                "spellcheck": "false",
                "dir": "auto",
            }
        )


class SignupForm(Look, allauth.SignupForm):
    texts = {
        "username": (
            _("Name at the table"),
            _("3 to 20 letters, digits, _ or -. Others will see it."),
        ),
        "password1": (_("Password"), PASSWORD_HINT),
        "email": (_("E-mail"), _("For a lost password and notices about your account.")),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = forms.CharField(widget=NameInput(), strip=True)
        name.label, name.help_text = self.texts["username"]
        name.widget.attrs["class"] = "input"
        self.fields["username"] = name
        self.order_fields(["username", "password1", "email"])


class LoginForm(Look, allauth.LoginForm):
    texts = {"password": (_("Password"), "")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = forms.CharField(label=_("Name"), max_length=LOGIN_LENGTH, widget=NameInput())
        name.widget.attrs["class"] = "input"
        self.fields["login"] = name
        self.order_fields(["login", "password"])


class AddEmailForm(Look, allauth.AddEmailForm):
    texts = {"email": (_("New e-mail address"), _("A link is sent there; open it to confirm."))}


class ChangePasswordForm(Look, allauth.ChangePasswordForm):
    texts = {
        "oldpassword": (_("Current password"), ""),
        "password1": (_("New password"), PASSWORD_HINT),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]


class SetPasswordForm(Look, allauth.SetPasswordForm):
    texts = {"password1": (_("New password"), PASSWORD_HINT)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]


class ResetPasswordForm(Look, allauth.ResetPasswordForm):
    texts = {"email": (_("E-mail"), _("The address that you gave for your account."))}


class ResetPasswordKeyForm(Look, allauth.ResetPasswordKeyForm):
    texts = {"password1": (_("New password"), PASSWORD_HINT)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]


class ReauthenticateForm(Look, allauth.ReauthenticateForm):
    texts = {"password": (_("Your password"), "")}


class RenameForm(ReauthenticateForm):
    """The name to be, and the password."""

    texts = {
        "name": (_("New name"), _("3 to 20 letters, digits, _ or -. Others will see it.")),
        **ReauthenticateForm.texts,
    }

    name = forms.CharField(widget=NameInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["name", "password"])


class OneTimeCode(Look):
    """A form whose ``code`` is typed in whichever digits the keyboard has."""

    texts = {
        "code": (_("Code"), _("6 digits from your app, or 8 of a spare code.")),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        code = forms.CharField(
            max_length=CODE_LENGTH,
            widget=forms.TextInput(
                {
                    "autocomplete": "one-time-code",
                    "inputmode": "numeric",
                    "spellcheck": "false",
                    "dir": "ltr",
                    "class": "input",
                }
            ),
        )
        code.label, code.help_text = self.texts["code"]
        self.fields["code"] = code

    def clean_code(self) -> str:
        """The code in Latin digits. Raises ``ValidationError`` for a wrong or used one, and for
        too many tries."""
        self.cleaned_data["code"] = digits.latin(self.cleaned_data["code"])
        return super().clean_code()


class CodeForm(OneTimeCode, second.AuthenticateForm):
    """At log-in."""


class CodeAgainForm(OneTimeCode, second.ReauthenticateForm):
    """Before the account is changed."""


class ActivateForm(OneTimeCode, totp.ActivateTOTPForm):
    """The first code of a new app, which is used up by it."""

    texts = {"code": (_("Code"), _("The 6 digits that the app shows now."))}

    def clean_code(self) -> str:
        code = super().clean_code()
        two_factor.use_up(Authenticator(user=self.user), code)
        return code


class RecoverForm(Look, forms.Form):
    """Name, recovery code and the password to be."""

    name = forms.CharField(label=_("Name"), max_length=LOGIN_LENGTH, widget=NameInput())
    code = forms.CharField(
        label=_("Recovery code"),
        max_length=60,
        help_text=_("16 letters and digits, from the page after sign-up."),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false", "dir": "ltr"}),
    )
    new_password = forms.CharField(
        label=_("New password"),
        strip=False,
        help_text=PASSWORD_HINT,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        password = cleaned.get("new_password")
        if password:
            try:
                get_adapter().clean_password(password, Player(name=cleaned.get("name", "")))
            except forms.ValidationError as error:
                self.add_error("new_password", error)
        return cleaned
