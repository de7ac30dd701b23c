// Loaded before a program: keeps what Node has compiled for the next one, since a program that is
// killed does not come to do so when it ends.
import { flushCompileCache } from 'node:module'

setTimeout(flushCompileCache, 500).unref()
