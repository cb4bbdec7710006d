# Printed by: reactor export airflow -s products --tasks 2 --shared
# Print it again after a change of the flows or of this command, instead of changing it here.
# Secrets, by name: SHOP_TOKEN
# Variables that must be set: REACTOR_VAR_since
# REACTOR_STATE is the URL of the state that the processes share; treat it as a secret.
# They are set in the environment of the workers.
# The paths of flow files begin at the folder of this file.

from datetime import datetime, timedelta, timezone
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

with DAG(
    dag_id="shop",
    schedule=timedelta(seconds=21600),
    start_date=datetime(2024, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    tags=["slow"],
    default_args={
        "retries": 2,
        "retry_delay": timedelta(minutes=5),
        "append_env": True,
        "env": {"REACTOR_RUN": "{{ run_id }}"},
        "cwd": str(Path(__file__).resolve().parent),
    },
) as dag:
    part_1 = BashOperator(
        task_id="part_1",
        bash_command="exec reactor run -s products --report json=shop-1.json\n",
        execution_timeout=timedelta(seconds=900),
    )
    part_2 = BashOperator(
        task_id="part_2",
        bash_command="exec reactor run -s products --report json=shop-2.json\n",
        execution_timeout=timedelta(seconds=900),
    )
