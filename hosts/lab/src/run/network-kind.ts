/** A network that can cancel, as that of the HTTP contract, or one that cannot, as OpenHub. */
export const networkKinds = ['http', 'openhub'] as const
export type NetworkKind = (typeof networkKinds)[number]
