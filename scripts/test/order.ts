import { groupBy } from 'es-toolkit/array/groupBy'
import { sortBy } from 'es-toolkit/array/sortBy'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, longest first. Begun last, one of them keeps the run waiting while other processors have nothing to do. */
const longest = [
  'security/probes',
  'faults/kill',
  'security/positive',
  'reports/reports',
  'session/login',
  'api/webhooks/webhooks',
  'jobs/jobs',
  'security/put-back',
  'geo/live',
].map((name) => `/tests/${name}.test.ts`)

/**
 * The order of test files in each project. Vitest knows how long files took from the run before; in a fresh clone, as CI has it, it only
 * knows their sizes, which say nothing about it.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = groupBy(await super.sort(files), ({ project }) => project.name)
    return Object.values(byProject).flatMap((sorted) => sortBy(sorted, [placeOf]))
  }
}

/** Its place among the longest; after them all for any other, where the order stays as it was. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((end) => moduleId.endsWith(end))
  return place < 0 ? longest.length : place
}
