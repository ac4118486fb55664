import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { openapiDocument } from '../apps/server/src/kernel/openapi.ts'
import { declaredAreas } from './areas.ts'

const output = resolve(import.meta.dirname, '../packages/client/generated')
const made = '// Made by npm run generate from the API document. Do not edit.\n'

/** Writes what the typed client knows of the server: the types of every call, and the method and path of each name. */
async function makeClient(): Promise<void> {
  const areas = await declaredAreas()
  const types = astToString(await openapiTS(JSON.stringify(openapiDocument(areas, 'generated'))))
  const routes = areas
    .flatMap((area) => area.routes)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, method, path }) => `  '${name}': '${method} ${path}',\n`)
  await mkdir(output, { recursive: true })
  await writeFile(join(output, 'calls.ts'), `${made}${types}`)
  await writeFile(join(output, 'routes.ts'), `${made}export const routes = {\n${routes.join('')}} as const\n`)
}

await makeClient()
