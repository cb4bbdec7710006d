import ReactorState
import Synchronization
import Testing

/// What docs/guides/store.md shows.
@Suite(.timeLimit(.minutes(1))) struct StoreGuideTests {
  @Test func `a view is tested against a stub`() async {
    let lines = Mutex<[String]>([])
    let stub = Stub(Profile())
    let binding = ViewBinding(ProfileView { line in lines.withLock { $0.append(line) } })
    await binding.bind(to: stub.store)

    // The view asks for a name that is unknown.
    while await stub.actions.isEmpty { await Task.yield() }
    #expect(await stub.actions == [.refresh])

    // It prints the name that the stub shows.
    stub.state = Profile.State(name: "Ada")
    await stub.store.finish()
    await binding.ended()
    #expect(lines.withLock { $0 } == ["name: Ada"])
  }

  @Test func `a reactor that is only a state takes actions and changes nothing`() async {
    let store = ReactorStore(Profile())
    await store.dispatch(.refresh)
    #expect(await store.state.name == "")
    // The two actions are mutations; reduce ignores them.
    await store.dispatch(.logOut)
    #expect(store.snapshot.sequence == 2)
  }

  @Test func `actions that are mutations need only reduce`() async {
    let store = ReactorStore(Filter())
    store.send(.show("tea"))
    #expect(await store.state.text == "tea")
    store.send(.clear)
    #expect(await store.state.text == "")
  }

  @Test func `each alert is seen once, and a pulse has its value and its count`() async throws {
    let store = ReactorStore(
      Editor { note in
        if note.isEmpty { throw EmptyNote() }
      })
    let alerts = store.pulses(of: \.$alert)
    for note in ["a", "b", ""] { await store.dispatch(.save(note)) }
    await store.finish()
    #expect(await alerts.reduce(into: []) { $0.append($1) } == [nil, "saved", "saved", "not saved: EmptyNote()"])

    let pulse = store.currentState.$alert
    #expect(pulse.value == "not saved: EmptyNote()")
    #expect(pulse.valueUpdatedCount == 3)
  }

  @Test func `the flag is up while the note is saved`() async {
    let store = ReactorStore(Editor { _ in })
    let saving = store.allStates(of: \.isSaving)
    await store.dispatch(.save("a"))
    await store.finish()
    #expect(await saving.reduce(into: []) { $0.append($1) } == [false, true, false])
  }

  private struct EmptyNote: Error {}
}
