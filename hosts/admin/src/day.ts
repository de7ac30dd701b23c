import { dayAt, type Timezone } from '@quipu/core/operator'

/** The day before an instant, as `2026-11-20`. */
export const dayBefore = (at: Date, timezone: Timezone = 'UTC'): string =>
  dayAt(new Date(at.getTime() - 86_400_000), timezone)
