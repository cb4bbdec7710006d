# Printed by: reactor export airflow -s tag:daily --by flow --folder /srv/pulls
# Print it again after a change of the flows or of this command, instead of changing it here.
# Secrets, by name: SHOP_TOKEN
# Variables that must be set: REACTOR_VAR_since
# They are set in the environment of the workers.
# The paths of flow files begin at the working folder of the tasks, 'cwd'.
#
# Each task runs one flow. The edges are its parents, whose results it reads: a parent is requested again if its
# result is not fresh any more ('persistence.expires_after').

from datetime import datetime, timedelta, timezone

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
        "cwd": "/srv/pulls",
    },
) as dag:
    tasks = {
        "shop.customers": BashOperator(
            task_id="shop.customers",
            bash_command="sleep \"$(( $(od -An -N4 -tu4 /dev/urandom) % 300 ))\"\nexec reactor run -s shop.customers\n",
            execution_timeout=timedelta(seconds=4200),
        ),
        "shop.orders": BashOperator(
            task_id="shop.orders",
            bash_command="exec reactor run -s shop.orders\n",
            execution_timeout=timedelta(seconds=6300),
        ),
    }
    tasks["shop.customers"] >> tasks["shop.orders"]
