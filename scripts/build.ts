import { generate } from './generate.ts'
import { buildConsole } from './start/build-console.ts'

/** Builds what is not in git: Prisma's client and the console. For images and operators; `npm start` does it too. */
await generate()
await buildConsole()
