// A property draws the same cases for each mutant, so that a score can be repeated.
import fc from 'fast-check'

fc.configureGlobal({ seed: 20_261_124 })
