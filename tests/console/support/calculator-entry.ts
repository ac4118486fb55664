import { runCalculator } from '@outpost/rules/calculators/index'

// The sums as the console bundles them, put where a test in the page can call them.
Object.assign(globalThis, { runCalculator })
