import { expect, it } from 'vitest'
import { behindFence, passFence, whenPassed } from './fence.ts'

it('waits for effects without an answer, so that a job does not end before its last message', async () => {
  const happened: string[] = []
  let open = (): void => undefined
  const slow = new Promise<void>((done) => {
    open = done
  })
  const job = behindFence(
    () => slow,
    async () => {
      whenPassed(() => happened.push('message'))
    },
  )
  void job.then(() => happened.push('over'))
  await Promise.resolve()
  expect(happened).toEqual([])
  open()
  await job
  expect(happened).toEqual(['message', 'over'])
})

it('blocks every effect of a lost try, and none outside of jobs', async () => {
  const happened: string[] = []
  const lost = async () => {
    throw new Error('lost')
  }
  await behindFence(lost, async () => {
    whenPassed(() => happened.push('message'))
    await expect(passFence()).rejects.toThrow('lost')
  })
  whenPassed(() => happened.push('outside'))
  await passFence()
  expect(happened).toEqual(['outside'])
})
