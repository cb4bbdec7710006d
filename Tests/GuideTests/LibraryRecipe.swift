// What docs/guides/library.md shows; the tests compare and run it.

import BatchRunner
import FlowCompiler
import FlowRuntime
import FlowSpec
import ReactorCore
import ReactorState
import SourceDiagnostics
import Storage

/// Runs the flows of some files; results go below `root`.
func pull(_ files: [SourceFile], root: String) async -> [String] {
  let loaded = FlowLoader(reader: .nothing).load(files)
  let compilation = FlowCompiler().compile(loaded.flows)
  let environment = FlowEnvironment(root: OutputRoot(path: root))

  // All that is wrong, with places, in one pass; the flows of other files still run.
  var lines = (loaded.diagnostics.diagnostics + compilation.diagnostics.diagnostics).map { problem in
    "\(problem.code.rawValue): \(problem.message)"
  }

  let flows = environment.flows(for: compilation.plans)
  let plan = RunPlan(flows.map { RunnableFlow($0) }, limits: RunLimits(jobs: 4))
  let run = BatchRun(plan)
  let state = await run.execute()
  await environment.close()

  for flow in state.flows {
    lines.append("\(flow.id): \(flow.status.rawValue), \(flow.records) records\(flow.error.map { ", \($0)" } ?? "")")
  }
  return lines
}

/// Prints each change of a run while it goes on.
func watch(_ run: BatchRun) async -> RunState {
  // Listen before the run begins, so that nothing is missed.
  let changes = run.transitions()
  async let end = run.execute()
  for await change in changes {
    if case .flowFinished = change.mutation { print("\(change.sequence): a flow is over") }
  }
  return await end
}
