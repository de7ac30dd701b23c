/** How to make each member that is not given. */
type Makers<T> = { readonly [Member in keyof T]?: () => T[Member] }

/**
 * Makes objects whose members are created on first access: most of a tenant's collections stay empty, and
 * the example server holds ten thousand tenants.
 */
export function lazily<T extends object>(makers: Makers<T>): (given: Partial<T>) => T {
  const like = {}
  for (const [name, make] of Object.entries<(() => unknown) | undefined>(makers))
    Object.defineProperty(like, name, {
      get(this: object): unknown {
        const value = make?.()
        Object.defineProperty(this, name, { value, writable: true, enumerable: true })
        return value
      },
    })
  return (given) => Object.assign(Object.create(like) as T, given)
}
