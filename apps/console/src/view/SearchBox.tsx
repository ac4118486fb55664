import { useEffect, useEffectEvent, useState } from 'react'
import { Input } from 'antd'
import { SearchOutlined } from '@ant-design/icons'

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
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== sent) {
    setSent(value)
    setTyped(value)
  }
  const send = (text: string) => {
    setSent(text)
    onSearch(text)
  }
  const sendTyped = useEffectEvent(send)
  const isSent = typed === sent
  useEffect(() => {
    if (isSent) return
    const timer = setTimeout(() => sendTyped(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, isSent])
  return (
    <Input
      className={className}
      allowClear
      prefix={<SearchOutlined aria-hidden />}
      value={typed}
      maxLength={200}
      placeholder={placeholder}
      aria-label={label}
      onChange={(event) => setTyped(event.target.value)}
      onPressEnter={() => send(typed)}
      enterKeyHint="search"
    />
  )
}
