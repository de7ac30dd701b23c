/** The process's clock. Quotes, leases and schedules are measured by the store's clock instead. */
export type Clock = () => Date

/** A wait that can be called off. `done` resolves after `ms` milliseconds, never when cancelled. */
export type Timer = (ms: number) => { readonly done: Promise<void>; cancel(): void }
