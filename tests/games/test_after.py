"""What happens after a commit: whatever fails there takes nothing with it."""

from functools import partial

import pytest
from django.db import transaction

from games.services.after import after_commit


def fails() -> None:
    raise ConnectionError("no broker")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", [fails, partial(fails), lambda: fails()])
def test_what_fails_is_logged_and_the_next_is_called(act, caplog):
    told = []
    with transaction.atomic():
        after_commit(act)
        after_commit(told.append, "next")
        assert told == []
    assert told == ["next"]
    assert "no broker" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_nothing_is_called_of_what_is_rolled_back():
    told = []
    with transaction.atomic():
        after_commit(told.append, "never")
        transaction.set_rollback(True)
    assert told == []
