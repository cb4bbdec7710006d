// usage: ClusterSimulation URL CLOCK FLOWS PROCESSES SEED CONNECTIONS
// Simulates a run in an empty database whose `clock_timestamp()` reads the file CLOCK; prints what came out as JSON.
// Benchmarks/cluster starts it.
@testable import SharedState

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 6, case let numbers = arguments.dropFirst(2).compactMap({ Int($0) }), numbers.count == 4 else {
  fatalError("usage: ClusterSimulation URL CLOCK FLOWS PROCESSES SEED CONNECTIONS")
}
let url = arguments[1]
let scenario = Scenario(flows: numbers[0], processes: numbers[1], seed: UInt64(numbers[2]))
let clock = VirtualClock(file: arguments[2], atOnce: numbers[3])
let databases = (0..<numbers[3]).map { _ in StateDatabase(url: url) }
let began = ContinuousClock.now
let outcome = try await Simulation(scenario: scenario, clock: clock, databases: databases).run()
for database in databases { await database.close() }
print(outcome.json(scenario, wall: (ContinuousClock.now - began).seconds))
