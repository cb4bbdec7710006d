# Printed by: reactor export airflow -s tag:daily --tasks 2
# Print it again after a change of the flows or of this command, instead of changing it here.
# Secrets, by name: SHOP_TOKEN
# Variables that must be set: REACTOR_VAR_since
# They are set in the environment of the workers.
# The paths of flow files begin at the folder of this file.

from datetime import datetime, timedelta, timezone
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG
from airflow.timetables.trigger import CronTriggerTimetable

with DAG(
    dag_id="shop",
    schedule=CronTriggerTimetable("30 2 * * 1-5", timezone="Europe/Berlin"),
    start_date=datetime(2024, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    tags=["daily", "money"],
    default_args={
        "retries": 2,
        "retry_delay": timedelta(minutes=5),
        "append_env": True,
        "cwd": str(Path(__file__).resolve().parent),
    },
) as dag:
    part_1 = BashOperator(
        task_id="part_1",
        bash_command="sleep \"$(( $(od -An -N4 -tu4 /dev/urandom) % 300 ))\"\nexec reactor run -s tag:daily --shard 1/2 --fail-on '!no-flows' --report json=shop-1.json\n",
        execution_timeout=timedelta(seconds=6300),
    )
    part_2 = BashOperator(
        task_id="part_2",
        bash_command="sleep \"$(( $(od -An -N4 -tu4 /dev/urandom) % 300 ))\"\nexec reactor run -s tag:daily --shard 2/2 --fail-on '!no-flows' --report json=shop-2.json\n",
        execution_timeout=timedelta(seconds=6300),
    )
