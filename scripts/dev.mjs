import { continueOnNode24, ensureInstalled } from './install.mjs'

ensureInstalled()
continueOnNode24('scripts/dev.ts')
