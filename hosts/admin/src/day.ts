/** The UTC day before an instant, as `2026-11-20`. */
export const dayBefore = (at: Date): string => new Date(at.getTime() - 86_400_000).toISOString().slice(0, 10)
