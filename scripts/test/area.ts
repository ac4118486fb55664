import { glob, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { journeyParts, partOf, type JourneyPart } from './journeys.ts'
import { addScores, vitest, type Step } from './steps.ts'

const root = resolve(import.meta.dirname, '../..')

/** The names of the areas: the folders of the server's areas. */
export async function areaNames(): Promise<string[]> {
  const entries = await readdir(resolve(root, 'apps/server/src/areas'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Test files that concern the area, by the project that runs them: those in its folder or under its name, and the probes of its routes. */
export async function areaFiles(area: string): Promise<Record<'unit' | 'doors' | 'browser' | JourneyPart, string[]>> {
  // leads: leads.test.ts, leads/..., lead-merge.test.ts, lead.rules.test.ts
  const one = area.replace(/s$/, '')
  const names = `{${area},${one}-*,${one}.*}`
  const find = async (...patterns: string[]): Promise<string[]> => {
    const found: string[] = []
    for await (const file of glob(patterns, { cwd: root })) found.push(file)
    return found.toSorted()
  }
  const [unit, doors, browser, journeys] = await Promise.all([
    find(`{apps,packages}/*/src/**/${area}/**/*.test.{ts,tsx}`, `{apps,packages}/*/src/**/${names}.test.{ts,tsx}`),
    find(
      `tests/{${area},api/${area}}/*.test.ts`,
      `tests/{api,platform,session,sync,jobs,reports,storage,mail}/**/${names}.test.ts`,
      'tests/security/{probes,matrix}.test.ts',
    ),
    find(`tests/console/${names}.test.ts`),
    find(`tests/e2e/${area}.test.ts`),
  ])
  const parts = Object.fromEntries(journeyParts.map((part) => [part, journeys.filter((file) => partOf(file) === part)]))
  return { unit, doors: [...new Set(doors)], browser, ...(parts as Record<JourneyPart, string[]>) }
}

/**
 * The steps of an area, run in parallel: pure code, its tests over HTTP, the probes of its routes and its console files against a fake
 * server; with `withJourneys` also its journeys, for which a whole Outpost is started and filled. Types, lint and walls concern
 * everything and belong to the full run.
 */
export async function areaStep(area: string, { withJourneys = false } = {}): Promise<Step> {
  const isJourney = (project: string) => journeyParts.some((part) => part === project)
  const files = Object.entries(await areaFiles(area)).filter(([project, own]) => own.length > 0 && (withJourneys || !isJourney(project)))
  return {
    name: area,
    what: `what concerns ${area}: ${files.map(([project, own]) => `${own.length} ${project}`).join(', ')}`,
    run: async () => {
      // Read by the probes: they then call the routes of this area only.
      process.env.TEST_AREA = area
      return addScores(await Promise.all(files.map(([project, own]) => vitest(project, own))))
    },
  }
}
