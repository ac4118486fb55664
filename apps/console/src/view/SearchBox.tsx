import { useEffect, useEffectEvent, useState } from 'react'
import { Input } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import { isSent, searchText, withAddress, withSent } from './search-text.ts'

const typingPauseMs = 300

interface SearchBoxProps {
  /** As the address has it. */ value: string
  label: string
  placeholder: string
  className: string
  onSearch: (text: string) => void
}

/**
 * A search box. What is typed counts after a pause or with Enter: a box that waits for the address to come back with each letter loses
 * the place of who types in the middle.
 */
export function SearchBox({ value, label, placeholder, className, onSearch }: SearchBoxProps) {
  const [kept, setKept] = useState(() => searchText(value))
  const text = withAddress(kept, value)
  if (text !== kept) setKept(text)
  const { typed } = text
  const send = () => {
    setKept((now) => withSent(now, typed))
    onSearch(typed)
  }
  const sendTyped = useEffectEvent(send)
  const isWaiting = !isSent(text)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => sendTyped(), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, isWaiting])
  return (
    <Input
      className={className}
      allowClear
      prefix={<SearchOutlined aria-hidden />}
      value={typed}
      maxLength={200}
      placeholder={placeholder}
      aria-label={label}
      onChange={({ target }) => setKept((now) => ({ ...now, typed: target.value }))}
      onPressEnter={send}
      enterKeyHint="search"
    />
  )
}
