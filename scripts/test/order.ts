import { groupBy } from 'es-toolkit'
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
    const placeOf = ({ moduleId }: TestSpecification) => longest.findIndex((end) => moduleId.endsWith(end))
    return Object.values(byProject).flatMap((sorted) => [
      ...sorted.filter((file) => placeOf(file) >= 0).toSorted((one, other) => placeOf(one) - placeOf(other)),
      ...sorted.filter((file) => placeOf(file) < 0),
    ])
  }
}
