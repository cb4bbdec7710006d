public import ReactorState

/// A change of a run with its number.
public typealias RunTransition = Transition<RunMutation>
