/** How each member is made that is not there from the beginning. */
type Makers<T> = { readonly [Member in keyof T]?: () => T[Member] }

/**
 * Makes objects whose members are made when they are first asked for: most of what a tenant could
 * have it never has, and ten thousand tenants have ten thousand times nothing.
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
