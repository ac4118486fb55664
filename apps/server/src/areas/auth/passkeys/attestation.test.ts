import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SettingsService } from '@simplewebauthn/server'
import { expect, test } from 'vitest'
import { trustedByDefault, trustNoMaker } from './attestation.ts'

test('no certificate that a browser sends leads to a call: there is no maker to reach', () => {
  const service = join(createRequire(import.meta.url).resolve('@simplewebauthn/server'), '../../esm/services/settingsService.js')
  const own = [...readFileSync(service, 'utf8').matchAll(/identifier: '([a-z-]+)'/g)].map(([, name]) => name)
  expect([...new Set(own)].toSorted()).toEqual([...trustedByDefault])
  trustNoMaker()
  for (const identifier of trustedByDefault) expect(SettingsService.getRootCertificates({ identifier })).toEqual([])
})
