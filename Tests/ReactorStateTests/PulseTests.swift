import ReactorState
import Testing

@Suite(.timeLimit(.minutes(1))) struct PulseTests {
  struct State {
    @Pulse var alert: String?
    var taps = 0
  }

  @Test func `K-007: each assignment counts, also of an equal value, and reading does not`() {
    var state = State()
    #expect(state.$alert.valueUpdatedCount == 0)
    state.alert = "1"
    #expect(state.$alert.valueUpdatedCount == 1)
    state.alert = "1"
    #expect(state.$alert.valueUpdatedCount == 2)
    state.alert?.append("2")
    #expect(state.$alert.valueUpdatedCount == 3)
    #expect(state.alert == "12" && state.$alert.value == "12")
    #expect(state.$alert.valueUpdatedCount == 3)
    var pulse = state.$alert
    pulse.value = "3"
    #expect(pulse.wrappedValue == "3" && pulse.valueUpdatedCount == 4)
  }

  @Test func `K-008: after the greatest count comes 0`() {
    var pulse = Pulse(wrappedValue: "a", valueUpdatedCount: .max - 1)
    pulse.wrappedValue = "b"
    #expect(pulse.valueUpdatedCount == .max)
    pulse.wrappedValue = "c"
    #expect(pulse.valueUpdatedCount == 0)
    pulse.wrappedValue = "d"
    #expect(pulse.valueUpdatedCount == 1)
  }

  @Test func `K-009: every alert is seen once, whatever else happens`() async {
    struct Alerts: StateReactor {
      enum Action { case alert(String?), tap }
      typealias State = PulseTests.State
      typealias Mutation = Action
      var initialState: State { State() }
      func reduce(_ state: inout State, _ mutation: Action) {
        switch mutation {
        case .alert(let text): state.alert = text
        case .tap: state.taps += 1
        }
      }
    }
    let store = ReactorStore(Alerts())
    let pulses = store.pulses(of: \.$alert)
    let actions: [Alerts.Action] = [
      .alert("1"), .tap, .alert(nil), .alert("2"), .alert(nil), .tap, .alert(nil), .alert("3"), .alert("3"),
    ]
    for action in actions { store.send(action) }
    await store.finish()
    #expect(await pulses.all() == [nil, "1", nil, "2", nil, nil, "3", "3"])
    #expect(await store.state.taps == 2)
  }

  @Test func `a later reader gets the current value first`() async {
    let store = ReactorStore(Counter())
    await store.dispatch(.increase)
    #expect(await store.pulses(of: \.$alert).first(1) == ["increased"])
  }
}
