"""Matches from before there were reasons say why they moved no rating."""

from django.db import migrations, models


def say_why(apps, _schema_editor):
    silent = apps.get_model("games", "Match").objects.filter(unrated="")
    silent.filter(status="aborted").update(unrated="aborted")
    over = silent.filter(status="finished")
    over.filter(how="sanction").update(unrated="sanction")
    silent.filter(kind="challenge").update(unrated="challenge")
    over.filter(kind="practice").update(unrated="earlier")


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_standing'),
    ]

    operations = [
        migrations.AlterField(
            model_name='match',
            name='unrated',
            field=models.CharField(blank=True, choices=[('aborted', 'it was not played'), ('challenge', 'challenges are friendly'), ('same pair', 'the same two had met in three ranked matches within 24 hours'), ('staff', "staff don't play for ratings"), ('sanction', 'a moderator ended it'), ('hint', 'a hint was used'), ('guest', 'guests have no rating'), ('earlier', 'practice was not rated yet')], max_length=9),
        ),
        migrations.RunPython(say_why, migrations.RunPython.noop),
    ]
