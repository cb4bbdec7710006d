// What docs/guides/store.md shows; the tests compare and run it.

import ReactorState

/// A profile, so far only a state that no action changes.
struct Profile: StateReactor {
  enum Action: Equatable { case refresh, logOut }
  struct State {
    var name = ""
    @Pulse var alert: String?
  }

  var initialState: State { State() }

  func reduce(_ state: inout State, _ mutation: Action) {}
}

/// Prints a profile's name, and asks for it while it is unknown.
struct ProfileView: View {
  let print: @Sendable (String) -> Void

  func bind(to store: ReactorStore<Profile>) async {
    for await name in store.states(of: \.name) {
      if name.isEmpty { store.send(.refresh) } else { print("name: \(name)") }
    }
  }
}

/// A filter whose actions are its mutations: only `reduce` is written.
struct Filter: StateReactor {
  enum Action { case show(String), clear }
  typealias Mutation = Action
  struct State { var text = "" }

  var initialState: State { State() }

  func reduce(_ state: inout State, _ mutation: Action) {
    switch mutation {
    case .show(let text): state.text = text
    case .clear: state.text = ""
    }
  }
}

/// Saves a note; the save takes time.
struct Editor: StateReactor {
  enum Action { case save(String) }
  enum Mutation { case setSaving(Bool), setAlert(String) }
  struct State {
    var isSaving = false
    @Pulse var alert: String?
  }

  let save: @Sendable (String) async throws -> Void

  var initialState: State { State() }

  func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    let save = save
    switch action {
    case .save(let note):
      return .sequence(
        .commit(.setSaving(true)),
        // A later save cancels the one before.
        .latest(id: "save") { emit in
          try await save(note)
          await emit(.setAlert("saved"))
        },
        .commit(.setSaving(false)))
    }
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .setSaving(let isSaving): state.isSaving = isSaving
    case .setAlert(let text):
      state.alert = text
      state.isSaving = false
    }
  }

  func mutation(for error: any Error, action: Action) -> Mutation? { .setAlert("not saved: \(error)") }
}
