internal import FlowModel

/// A file with a DAG of Airflow 3.
enum AirflowDAG: EngineExport {
  static func text(of job: ExportedJob) throws(ExportError) -> String {
    let schedule = try schedule(of: job)
    var imports = ["from datetime import datetime, timedelta, timezone"]
    if job.folder == nil { imports.append("from pathlib import Path") }
    imports += [
      "", "from airflow.providers.standard.operators.bash import BashOperator", "from airflow.sdk import DAG",
    ]
    if schedule.hasPrefix("Cron") { imports.append("from airflow.timetables.trigger import CronTriggerTimetable") }
    let folder = job.folder.map(PythonText.literal) ?? "str(Path(__file__).resolve().parent)"
    let tags = Set(job.flows.flatMap(\.tags)).sorted().filter { $0.utf8.count <= 100 }
    var lines =
      imports + [
        "",
        "with DAG(",
        "    dag_id=\(PythonText.literal(job.name)),",
        "    schedule=\(schedule),",
        "    start_date=datetime(2024, 1, 1, tzinfo=timezone.utc),",
        "    catchup=False,",
        // Two runs at once would write the same results.
        "    max_active_runs=1,",
        "    tags=\(PythonText.list(tags)),",
        "    default_args={",
        "        \"retries\": 2,",
        "        \"retry_delay\": timedelta(minutes=5),",
        "        \"append_env\": True,",
      ]
    // A run's id is that of the engine, and may have any character: so it is no part of a command.
    if job.isShared { lines.append("        \"env\": {\"REACTOR_RUN\": \"{{ run_id }}\"},") }
    lines += ["        \"cwd\": \(folder),", "    },", ") as dag:"]
    lines += job.division == .flows ? flowTasks(job) : partTasks(job)
    return ExportedJob.comment(head(of: job)) + "\n" + lines.map { "\($0)\n" }.joined()
  }

  private static func head(of job: ExportedJob) -> [String] {
    var head = job.head
    if !job.environment.isEmpty { head.append("They are set in the environment of the workers.") }
    head.append(
      job.folder == nil
        ? "The paths of flow files begin at the folder of this file."
        : "The paths of flow files begin at the working folder of the tasks, 'cwd'.")
    guard job.division == .flows else { return head }
    head += [
      "",
      "Each task runs one flow. The edges are its parents, whose results it reads: a parent is requested again if its",
      "result is not fresh any more ('persistence.expires_after').",
    ]
    let parents = Set(job.flows.flatMap(\.parents))
    let anew = job.flows.filter { parents.contains($0.id) && !$0.isReused }.map(\.id)
    if !anew.isEmpty {
      head.append(
        "Without 'expires_after', each child requests its parent again: \(anew.map(oneLine).joined(separator: ", "))")
    }
    return head
  }

  private static func schedule(of job: ExportedJob) throws(ExportError) -> String {
    guard let schedule = job.schedule?.value else { return "None" }
    switch schedule.start {
    case .cron(let times):
      return "CronTriggerTimetable(\(PythonText.literal(times.text)), timezone="
        + "\(PythonText.literal(schedule.zone?.value ?? "UTC")))"
    case .every(let seconds): return "timedelta(seconds=\(seconds))"
    }
  }

  // MARK: - Tasks

  private static func partTasks(_ job: ExportedJob) -> [String] {
    (1...job.tasks).flatMap { number in
      let name = "part_\(number)"
      let arguments = job.arguments(part: "\(number)/\(job.tasks)") + ["--report", "json=\(job.name)-\(number).json"]
      return ["    \(name) = BashOperator("]
        + operatorLines(name, job.script("exec \(ShellText.words(["reactor"] + arguments))"), job.seconds, indent: 8)
        + ["    )"]
    }
  }

  private static func flowTasks(_ job: ExportedJob) -> [String] {
    let names = Dictionary(job.flows.map { ($0.id, taskName($0.id)) }, uniquingKeysWith: { first, _ in first })
    let flows = Dictionary(job.flows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var lines = ["    tasks = {"]
    for flow in job.flows {
      let name = names[flow.id] ?? flow.id
      let command = "exec \(ShellText.words(["reactor"] + job.arguments(selecting: [selection(flow.id)])))"
      // Children start when their parents have ended, so only the first tasks wait.
      let script = flow.parents.isEmpty ? job.script(command) : command
      let seconds = job.seconds(of: withAncestors(flow, flows))
      lines.append("        \(PythonText.literal(name)): BashOperator(")
      lines += operatorLines(name, script, seconds, indent: 12) + ["        ),"]
    }
    lines.append("    }")
    for flow in job.flows {
      for parent in flow.parents {
        let pair = [parent, flow.id].map { "tasks[\(PythonText.literal(names[$0] ?? $0))]" }
        lines.append("    \(pair.joined(separator: " >> "))")
      }
    }
    return lines
  }

  /// The arguments of an operator, one on each line.
  private static func operatorLines(_ name: String, _ script: String, _ seconds: Int?, indent: Int) -> [String] {
    let limit = seconds.map { "execution_timeout=timedelta(seconds=\($0))," }
    let lines = [
      "task_id=\(PythonText.literal(name)),",
      // A command that ends with `.sh` would be the name of a file; so it ends with a line break.
      "bash_command=\(PythonText.literal(untemplated(script.hasSuffix("\n") ? script : script + "\n"))),",
    ]
    return (lines + (limit.map { [$0] } ?? [])).map { String(repeating: " ", count: indent) + $0 }
  }

  private static func withAncestors(_ flow: ExportedJob.Flow, _ flows: [String: ExportedJob.Flow]) -> [ExportedJob.Flow]
  {
    var found = [flow.id: flow]
    var open = [flow]
    while let next = open.popLast() {
      for parent in next.parents where found[parent] == nil {
        guard let parent = flows[parent] else { continue }
        found[parent.id] = parent
        open.append(parent)
      }
    }
    return Array(found.values)
  }

  /// The id of a flow with the characters that Airflow allows in names of tasks.
  ///
  /// The name of a flow has no other ones. The name of its file may have them.
  private static func taskName(_ id: String) -> String { replacing(id, with: "_") }

  /// The selection of one flow by its id. A character that has a meaning in selections is written as `?`.
  private static func selection(_ id: String) -> String { replacing(id, with: "?") }

  private static func replacing(_ id: String, with other: Character) -> String {
    String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "_-.".contains($0) ? $0 : other })
  }

  /// A text for a line of a comment.
  private static func oneLine(_ text: String) -> String { ShellText.commandInComment([text]) }

  /// A text in which Airflow's templates (Jinja) fill in nothing.
  private static func untemplated(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      let start = rest.prefix(2)
      if ["{{", "{%", "{#"].contains(start) {
        result += "{{ '\(start)' }}"
        rest = rest.dropFirst(2)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
