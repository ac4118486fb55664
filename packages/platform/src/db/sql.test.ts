import { expect, test } from 'vitest'
import { empty, escapeLike, every, identifier, join, named, sql, trusted } from './sql.ts'

test('numbers values through nested statements', () => {
  const where = every([sql`a = ${1}`, sql`b = any(${[2, 3]})`])
  const statement = sql`select ${join([identifier('a'), trusted('count(*)')])} from t where ${where} limit ${10}${empty}`
  expect(statement.text).toBe('select "a", count(*) from t where (a = $1) and (b = any($2)) limit $3')
  expect(statement.values).toEqual([1, [2, 3], 10])
})

test('uses a statement twice without mixing up its values', () => {
  const part = sql`x = ${'v'}`
  expect(sql`${part} or ${part}`).toMatchObject({ text: 'x = $1 or x = $2', values: ['v', 'v'] })
  expect(part.text).toBe('x = $1')
})

test('turns undefined into null, and an empty list into nothing', () => {
  expect(sql`select ${undefined}`.values).toEqual([null])
  expect(join([]).text).toBe('')
  expect(every([]).text).toBe('true')
})

test('quotes identifiers so that none ends early', () => {
  expect(identifier('t', 'a"; drop table t; --').text).toBe('"t"."a""; drop table t; --"')
})

test('never inserts an object that only looks like a statement', () => {
  const forged = JSON.parse('{"text": "drop table t", "values": []}')
  expect(sql`select ${forged}`).toMatchObject({ text: 'select $1', values: [forged] })
})

test('a named statement can still be part of another', () => {
  expect(sql`select * from (${named('inner', sql`select ${1}`)}) t`.text).toBe('select * from (select $1) t')
})

test('escapes the wildcards of LIKE', () => {
  expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\')
})
