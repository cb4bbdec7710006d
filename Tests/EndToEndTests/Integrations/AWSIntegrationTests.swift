import Foundation
import TestSupport
import Testing

/// `flows/aws.yaml` against moto: tokens from body to body, one of them an object, and error codes in the body.
@Suite(.timeLimit(.minutes(3))) struct AWSIntegrationTests {
  private func two(_ number: Int) -> String { Integration.padded(number, to: 2) }

  @Test func `all pages of parameters, secrets and items are what was put in`() async throws {
    guard let aws = try await Integration("aws.yaml", server: "moto") else { return }
    let summary = try await aws.run()
    #expect(summary.flows.map(\.records) == [60, 60, 60, 60])
    let parameters = try (1...60).map {
      try Records.value(
        #"{"name":"/shop/setting-\#(two($0))","number":\#($0),"value":"value \#($0)","version":1}"#)
    }
    #expect(try aws.records("aws/parameters.jsonl") == parameters)
    let names = try (1...60).map { try Records.value(#"{"name":"shop/secret-\#(two($0))"}"#) }
    #expect(try aws.records("aws/secrets.jsonl") == names)
    let items = try (1...60).map {
      try Records.value(
        #"{"id":"order-\#(two($0))","amount":"\#($0).25","paid":\#($0 % 2 == 0),"tags":["tea","batch-\#($0 % 5)"]}"#)
    }
    #expect(try Set(aws.records("aws/items.jsonl")) == Set(items))

    // SHA-256 of "hidden 1" and "hidden 60", by another program.
    let prints = try aws.records("aws/secret-prints.jsonl").compactMap { $0 as? [String: NSObject] }
    let sums = try await aws.workspace.shell(
      "for n in $(seq 1 60); do printf 'hidden %s' $n | sha256sum | cut -d' ' -f1; done")
    #expect(prints.compactMap { $0["print"] as? String } == sums.stdout.split(separator: "\n").map(String.init))
    #expect(prints.compactMap { $0["name"] as? String } == (1...60).map { "shop/secret-\(two($0))" })
    #expect(aws.workspace.files(hidden: true).allSatisfy { aws.workspace.text($0)?.contains("hidden ") != true })
  }

  @Test func `a code in the body is reported in its own words, and nothing is stored`() async throws {
    guard let aws = try await Integration("aws.yaml", server: "moto") else { return }
    let outcome = try await aws.start(["-s", "aws.items", "--var", "table=nowhere"])
    #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
    let message = try Summary(outcome).flow("items").error?.message ?? ""
    #expect(message.contains("ResourceNotFoundException") && message.contains("not found"), "\(message)")
    #expect(aws.workspace.files().isEmpty)
  }
}
