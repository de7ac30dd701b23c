/** Bolivia is four hours behind UTC all year. */
const offsetMs = 4 * 60 * 60 * 1000

/** `2026-11-20T14:05:09.320`, without an offset as the network writes it. */
export const bolivianTime = (ms: number): string => new Date(ms - offsetMs).toISOString().slice(0, -1)

/** The first instant of a Bolivian day. @param date  `2026-11-20` */
export const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00.000Z`) + offsetMs

/** `2026-11-20` */
export const bolivianDate = (ms: number): string => bolivianTime(ms).slice(0, 10)
