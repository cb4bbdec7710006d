// Where a thread runs: a call that Swift cannot import, because its header keeps it from programs that do not ask for
// extensions.
#ifndef C_PROCESSOR_H
#define C_PROCESSOR_H

/// The number of the processor on which the calling thread is at this moment, from 0; -1 where the system does not tell.
int reactor_current_processor(void);

#endif
