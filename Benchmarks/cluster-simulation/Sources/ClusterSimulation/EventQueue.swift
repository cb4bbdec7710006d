/// Times of a virtual clock with the number of the task that waits for each; the earliest is the first.
struct EventQueue {
  struct Event {
    let time: Duration
    let number: Int

    static func < (one: Event, other: Event) -> Bool {
      one.time == other.time ? one.number < other.number : one.time < other.time
    }
  }

  /// A binary heap: no event is before its parent, which is at half its index.
  private var events: [Event] = []

  var first: Event? { events.first }

  mutating func add(_ event: Event) {
    events.append(event)
    var index = events.count - 1
    while index > 0, events[index] < events[(index - 1) / 2] {
      events.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() {
    events.swapAt(0, events.count - 1)
    events.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < events.count && events[child] < events[least] {
        least = child
      }
      guard least != index else { return }
      events.swapAt(index, least)
      index = least
    }
  }
}
