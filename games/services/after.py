"""What is to happen once the running transaction has been committed."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.db import transaction

_P = ParamSpec("_P")


def after_commit(act: Callable[_P, object], *args: _P.args, **kwargs: _P.kwargs) -> None:
    """Call ``act`` with these arguments after the commit; never, if it is rolled back.

    What fails then is logged, and takes nothing of what has been committed, nor what is still to be
    called, with it. (Django logs it by a name that a ``partial`` does not have.)
    """

    @wraps(act)
    def call() -> None:
        act(*args, **kwargs)

    transaction.on_commit(call, robust=True)
