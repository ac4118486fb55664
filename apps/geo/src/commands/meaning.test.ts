import { expect, test } from 'vitest'
import { meaningOf } from './meaning.ts'

const mean = (
  type: string,
  text: string,
  { isNamed = true, ...parameters }: { isNamed?: boolean; data?: string | number; index?: number } = {},
) => meaningOf({ type, parameters, text, isNamed })

test('an engine stop counts as done only when the answer confirms exactly that', () => {
  for (const text of [
    'Cut off the fuel supply: Success!',
    'DYD=Success!',
    'DYD=Success',
    'Already in the state of fuel supply to cut off,the command is not running!',
    'RELAY,1 OK',
    'S20,DONE',
    'S20,OK',
    'DOUT1:1 Timeout:INFINITY',
    'DOUT1:Already set to 1',
    'DOUT1 is 1',
    'OK!',
  ])
    expect([text, mean('engineStop', text)]).toEqual([text, 'done'])
  for (const text of [
    'DYD=Speed Limit, Speed 40km/h',
    'DYD=Unvalued Fix',
    'HFYD=Success!',
    'Restore fuel supply: Success!',
    'S20,ERROR',
    'S71,DONE',
    'DOUT1:0 Timeout:INFINITY',
    'DOUT2:1',
    'DOUT1:IGNORED',
    'Ver:03.25.14',
    'Cut off the fuel supply: Success! was not reached',
    'Cut off the fuel supply: Fail!',
    'hello',
    '',
    'RELAY:OFF',
    'RELAY,0 OK',
    'NOT OK',
    'DOUT1:10',
  ])
    expect([text, mean('engineStop', text)]).toEqual([text, 'failed'])
  // An OK that names no command may be about anything.
  expect(mean('engineStop', 'OK!', { isNamed: false })).toBe('failed')
})

test('the same for engineResume, outputs and raw text', () => {
  expect([
    mean('engineResume', 'HFYD=Success!'),
    mean('engineResume', 'DOUT1:0'),
    mean('engineResume', 'DYD=Success!'),
    mean('engineResume', 'DOUT1:1'),
  ]).toEqual(['done', 'done', 'failed', 'failed'])
  expect([
    mean('outputControl', 'DOUT1:IGNORED DOUT2:1 Timeout:60', { index: 2, data: 1 }),
    mean('outputControl', 'DOUT1:1', { index: 2, data: 1 }),
  ]).toEqual(['done', 'failed'])
  expect([
    mean('custom', 'DOUT1:1 DOUT2:0', { data: 'setdigout 10' }),
    mean('custom', 'DOUT1:1 DOUT2:1', { data: 'setdigout 10' }),
    mean('custom', 'Digital outputs are set to: 1 0', { data: 'setdigout 10' }),
  ]).toEqual(['done', 'failed', 'done'])
  expect([
    mean('custom', 'DYD=Success!', { data: 'Relay,1#' }),
    mean('custom', 'DYD=Speed Limit', { data: 'Relay,1#' }),
    mean('custom', 'done', { data: 'KILL#' }),
    mean('custom', 'OK', { data: 'KILL#' }),
  ]).toEqual(['done', 'failed', 'failed', 'done'])
})

test('any answer but a refusal completes any other command', () => {
  for (const text of ['Ver:03.25.14', 'Battery:NORMAL; GPRS:Link Up; Overspeed:80', `PARAM ${'x'.repeat(200)} error:0`])
    expect([text, mean('custom', text, { data: 'STATUS#' })]).toEqual([text, 'heard'])
  for (const text of ['S71,ERROR', 'TIMER:FAIL', 'Invalid command', 'refused: the command was for another IMEI'])
    expect([text, mean('positionPeriodic', text)]).toEqual([text, 'failed'])
})
