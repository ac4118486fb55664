import { createHash, createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argonHash, verify as argonVerify, type Options } from '@node-rs/argon2'
import { fail } from '@outpost/contract/errors'
import { deriveKeys, type MasterSecrets } from '@outpost/platform/keys'

/** Argon2id at OWASP's minimum (19 MiB, two passes, one lane); the library's default algorithm is Argon2id. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const wantedPrefix = '$argon2id$v=19$m=19456,t=2,p=1'

/** Hashing takes 19 MiB and 30 ms each: more at once, or a longer queue, would let guessers starve everybody. */
const maxAtOnce = Math.min(2, availableParallelism())
const maxWaiting = 50

export interface Passwords {
  hash(password: string): Promise<string>
  /** True when the password is the hash's. Without a hash the same work is done and the answer is false. */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** True for a hash of an older cost or of a former secret: make a new one at the next good login. */
  isOutdated(hash: string): boolean
}

/** What hashes of a secret's pepper carry (`keyid` of the PHC format): it says which of several peppers was used and reveals nothing about it. */
export const pepperId = (pepper: Buffer): string => createHash('sha256').update(pepper).digest('base64').slice(0, 8).replace(/[+/]/g, 'x')

/** Password hashing with a pepper from the master secret, and the peppers of former ones for what they hashed; UNAVAILABLE when 50 hashes already wait. */
export function createPasswords(secrets: MasterSecrets): Passwords {
  const peppers = deriveKeys(secrets, 'password-pepper')
  const id = pepperId(peppers[0])
  // As text: the library verifies no other bytes.
  const withPepper = (pepper: Buffer, password: string) => createHmac('sha256', pepper).update(password.normalize('NFC')).digest('base64')
  const run = createGate()
  let dummy: Promise<string> | undefined
  const hash = async (password: string) =>
    (await run(() => argonHash(withPepper(peppers[0], password), cost))).replace(wantedPrefix, `${wantedPrefix},keyid=${id}`)
  return {
    hash,
    verify: async (stored, password) => {
      // Waited for by all, or the first unknown name of a process would answer later.
      const nobody = await (dummy ??= hash('no such user'))
      const against = stored ?? nobody
      let isSame = false
      for (const pepper of peppers) isSame ||= await run(() => argonVerify(against, withPepper(pepper, password)))
      return stored !== undefined && isSame
    },
    // A hash that does not say its pepper is from before hashes did, and so perhaps of a former secret.
    isOutdated: (stored) => !stored.startsWith(wantedPrefix) || (peppers.length > 1 && !stored.includes(`,keyid=${id}$`)),
  }
}

function createGate(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting) fail('UNAVAILABLE')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody overtakes the queue.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
