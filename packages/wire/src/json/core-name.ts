/** A name of JSON as the core writes it: `tenant_id` is `tenantId`. */
export type CoreName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CoreName<Rest>>}`
  : Name

export const coreName = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
