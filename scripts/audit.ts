import { execFile } from 'node:child_process'
import { z } from 'zod'
import { inShippedFolder } from './image/shipped.ts'

const severities = ['info', 'low', 'moderate', 'high', 'critical'] as const
const advisory = z.object({ name: z.string(), range: z.string(), severity: z.enum(severities), title: z.string(), url: z.string() })
/** Of a package that is only affected through another one, that one's name stands in the advisory's place. */
const told = z.object({ vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([advisory, z.string()])) })) })
export type AuditOutcome = { isAnswered: false } | { isAnswered: true; serious: string[]; lesser: string[] }

/**
 * What the registry's list of advisories says of the packages that are shipped: those that the image runs on and those built into the console's files.
 * Serious is high or critical. A registry without such a list does not answer.
 */
export const auditShipped = (): Promise<AuditOutcome> =>
  inShippedFolder(async (folder) => {
    const answer = told.safeParse(await npmAudit(folder))
    if (!answer.success) return { isAnswered: false }
    const found = Object.values(answer.data.vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one !== 'string'))
    const texts = (isWanted: (severity: string) => boolean) =>
      found
        .filter(({ severity }) => isWanted(severity))
        .map(({ name, range, severity, title, url }) => `${name} ${range}: ${severity}, ${title} (${url})`)
        .toSorted()
    const isSerious = (severity: string) => severity === 'high' || severity === 'critical'
    return { isAnswered: true, serious: texts(isSerious), lesser: texts((severity) => !isSerious(severity)) }
  })

/** npm ends with an error when it finds something, and says what all the same. */
const npmAudit = (cwd: string): Promise<unknown> =>
  new Promise((done) => {
    const args = ['audit', '--package-lock-only', '--json', '--fetch-retries=0']
    execFile('npm', args, { cwd, maxBuffer: 100_000_000, timeout: 60_000 }, (_error, stdout) => {
      try {
        done(JSON.parse(stdout))
      } catch {
        done(undefined)
      }
    })
  })

if (import.meta.main) {
  const outcome = await auditShipped()
  if (!outcome.isAnswered) console.error('The registry answers no advisories: nothing was checked')
  else {
    for (const line of [...outcome.serious, ...outcome.lesser]) console.log(line)
    console.log(`${outcome.serious.length} serious, ${outcome.lesser.length} lesser advisories on what is shipped`)
  }
  process.exitCode = outcome.isAnswered && outcome.serious.length === 0 ? 0 : 1
}
