import { expect, test } from 'vitest'
import { generatedKinds } from '../../apps/console/src/offline/kinds.generated.ts'
import { keptKinds } from '../../apps/server/src/kernel/sync/kept-kinds.ts'
import { declaredAreas } from '../../scripts/areas.ts'

test('devices know of the kinds they keep what the resources say: run npm run generate', async () => {
  expect(generatedKinds).toEqual(keptKinds(await declaredAreas()))
})
