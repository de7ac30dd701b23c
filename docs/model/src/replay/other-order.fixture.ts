/** Of several rows that are due the store claimed another one than the trace: the rest of the trace does not apply. */
export class OtherOrder extends Error {}
