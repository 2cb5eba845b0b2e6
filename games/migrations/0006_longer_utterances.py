from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_notifications_in_order")]

    operations = [
        migrations.AlterField(
            model_name="utterance",
            name="text",
            field=models.CharField(blank=True, max_length=600),
        ),
    ]
