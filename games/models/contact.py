"""Messages to whoever runs the site that no mail carried."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.player import Player

LONGEST = 2000


class ContactMessage(models.Model):
    """A message of the contact page that could not be sent; kept for administrators to read."""

    player = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, related_name="contact_messages"
    )
    address = models.EmailField(_("e-mail"), blank=True)
    text = models.CharField(_("message"), max_length=LONGEST)
    made_at = models.DateTimeField(_("written"), db_index=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
