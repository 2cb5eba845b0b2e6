"""Settings: one base, the environment decides. Everything has a default that runs."""

import contextlib
import os
import secrets
import sys
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
TESTING = "pytest" in sys.modules

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def first_secret_key(path: Path) -> str:
    """The key kept at ``path``: drawn on the first start, readable by its owner alone."""
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):  # another process was first: its key holds
            os.link(draft, path)
        draft.unlink()
    return path.read_text()


SECRET_KEY_GIVEN = bool(env.str("SECRET_KEY", default=""))
SECRET_KEY = env.str("SECRET_KEY", default="") or first_secret_key(VAR_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
SITE_URL = env.str("SITE_URL", default=f"http://localhost:{PORT}").rstrip("/")
_site = urlsplit(SITE_URL)
HTTPS = _site.scheme == "https"
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS",
    default=list(dict.fromkeys([_site.hostname or "localhost", "localhost", "127.0.0.1", "[::1]"])),
)

INSTALLED_APPS = [
    "basra_site.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "basra_site",
    "games",
    "ladder",
]

# Each of these serves sync and async alike: one that is sync only can hang daphne's shutdown.
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.middleware.ReaderMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "ladder.middleware.SanctionMiddleware",
    "basra_site.errors.NotAllowedMiddleware",
]

ROOT_URLCONF = "basra_site.urls"
ASGI_APPLICATION = "basra_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "basra_site.context.site",
            ],
        },
    }
]

# Database. SQLite in WAL, every transaction IMMEDIATE, and FULL so that a power cut loses no
# acknowledged play; the tests, which lose nothing by a power cut, take NORMAL.
DATABASES = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'basra.sqlite3'}")
}
DATABASES["default"]["CONN_MAX_AGE"] = None
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    with contextlib.suppress(OSError):  # where it cannot be made, connecting says why
        Path(DATABASES["default"]["NAME"]).touch(mode=0o600)  # e-mails and sessions lie in it
    _synchronous = env.str("SQLITE_SYNCHRONOUS", default="NORMAL" if TESTING else "FULL")
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        # With recursive triggers INSERT OR REPLACE deletes nothing that a trigger keeps.
        "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={_synchronous}; "
        "PRAGMA recursive_triggers=ON;",
    }
    # A file as in real life: a shared in-memory database locks in ways of its own.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / f"test-{os.getpid()}.sqlite3"}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    }
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # Limits on guessing are kept here: by default 300 made-up names would push them out.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    }
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"visibility_timeout": 60} if REDIS_URL else {"polling_interval": 0.03}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_TIMEZONE = "UTC"

# People
AUTH_USER_MODEL = "games.Player"
AUTHENTICATION_BACKENDS = [
    "games.backends.NameKeyBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "email")},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "ladder:lobby"
LOGOUT_REDIRECT_URL = "ladder:lobby"
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
SESSION_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "basra_site.errors.csrf_failure"

# Behind the shipped nginx there is one proxy; none otherwise.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
ACCOUNT_ADAPTER = "games.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_USER_DISPLAY = "games.adapter.display"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "email"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one takes over once it is confirmed
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {
    "signup": "games.forms.SignupForm",
    "login": "games.forms.LoginForm",
    "add_email": "games.forms.AddEmailForm",
    "change_password": "games.forms.ChangePasswordForm",
    "set_password": "games.forms.SetPasswordForm",
    "reset_password": "games.forms.ResetPasswordForm",
    "reset_password_from_key": "games.forms.ResetPasswordKeyForm",
    "reauthenticate": "games.forms.ReauthenticateForm",
}
ACCOUNT_EMAIL_NOTIFICATIONS = (
    True  # who has an address hears of what was changed, and how to stop it
)
# The second factor: a code by time, or a spare one. Nobody needs an address for it.
MFA_ADAPTER = "games.two_factor.Adapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Basra"
MFA_TOTP_TOLERANCE = 1  # a code is good for a step before and after its own: clocks differ
MFA_FORMS = {
    "authenticate": "games.forms.CodeForm",
    "reauthenticate": "games.forms.CodeAgainForm",
    "activate_totp": "games.forms.ActivateForm",
}
STAFF_NEEDS_TWO_FACTOR = True
# Per account (key, user) first, and far looser per address: a whole carrier may share one.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,300/m/ip",
    "login": "600/m/ip",
    "signup": "200/m/ip",
    "guest": "30/10m/ip,3000/10m/key",
    "recover": "10/10m/key,300/m/ip",
    "contact": "5/h/key,60/h/ip",
    "reset_password": "3/10m/key,200/m/ip",
    "reset_password_from_key": "200/m/ip",
}
SILENCED_SYSTEM_CHECKS = ["auth.W004"]  # name_key is unique, and log-in goes by it, not by name

# Mail: to the console while there is no server for it.
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
if "EMAIL_FILE_PATH" in vars():  # filemail:///srv/mail: the library drops the first slash
    EMAIL_FILE_PATH = os.path.join("/", vars()["EMAIL_FILE_PATH"])
CONTACT_EMAIL = env.str("CONTACT_EMAIL", default="")  # who runs the site
DEFAULT_FROM_EMAIL = env.str("FROM_EMAIL", default=f"Basra <basra@{_site.hostname}>")

# Security: SITE_URL's scheme decides.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CSRF_TRUSTED_ORIGINS = [SITE_URL]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        "form-action": [SELF],
    }
}

# Languages
LANGUAGE_CODE = "en"
# One line for each, in its own name; its catalogue lies in locale/ (docs/languages.md).
LANGUAGES = [
    ("en", "English"),
    ("ar", "العربية"),
]
FORMAT_MODULE_PATH = ["basra_site.formats"]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files: names carry a hash of the contents, so a browser may keep them for good.
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if TESTING or DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Files that the site makes: on several machines, a folder that all of them share.
MEDIA_ROOT = env.str("FILES_DIR", default=str(VAR_DIR / "files"))

# Playing
HOUSE_PAUSE = tuple(
    float(part) for part in env.str("HOUSE_PAUSE", default="0" if TESTING else "0.6-1.5").split("-")
)
# Processes that think for strong house players, hints and reviews, beside each process that asks
THINKERS = env.int("THINKERS", default=min(2, os.cpu_count() or 1))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "INFO" if not TESTING else "WARNING"},
    "loggers": {
        "daphne": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.consumer.connection": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},
    },
}
