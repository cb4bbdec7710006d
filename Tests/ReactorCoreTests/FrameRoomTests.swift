import Foundation
import Testing

@testable import ReactorCore

@Suite(.timeLimit(.minutes(1))) struct FrameRoomTests {
  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Where functions that wait for each other hold what they hold. Each takes a block from the system before the next is
  /// called, so that pieces for frames that are got only then cannot lie beside each other.
  private static func places(_ depth: Int) async -> [Int] {
    var held: (Words, Words, Words, Words) = (
      (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8)
    )
    let place = withUnsafeMutablePointer(to: &held) { Int(bitPattern: $0) }
    let between = malloc(64 << 10)
    defer { free(between) }
    let deeper = depth == 1 ? [] : await places(depth - 1)
    held.0.0 &+= 1
    return [place] + deeper
  }

  @Test func `frames behind the room lie in one piece`() async {
    let places = await Task {
      await FrameRoom.reserve()
      return await Self.places(8)
    }.value
    // The first ones have room in what the task began with.
    let steps = zip(places.dropFirst(2), places.dropFirst(3)).map { $1 - $0 }
    #expect(steps.count == 5)
    #expect(steps.allSatisfy { (1..<4096).contains($0) }, "\(steps)")
  }
}
