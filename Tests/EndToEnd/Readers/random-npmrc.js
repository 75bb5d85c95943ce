// random-npmrc.js SEED COUNT: prints random .npmrc files, each in a line in Base64, a blank, and what npm's reader (its package
// ini) makes of them: a list of address and token, without references to variables.
const path = require('path')
const { execFileSync } = require('child_process')

const root = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
const ini = require(path.join(root, 'npm', 'node_modules', 'ini'))

let state = BigInt.asUintN(64, BigInt(process.argv[2]))
const below = (limit) => {
  state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
  return Number((state >> 33n) % BigInt(limit))
}
const pick = (list) => list[below(list.length)]

const values = [
  'x', 'x=y', 'x y', 'x ; c', 'x#c', 'x\\;y', 'x\\#y', 'x\\\\y', 'x\\y', '"x"', '"x # y"', '"x\\"y"', '"x\\u0041"', "'x'", "'x;y'",
  "'x\"y'", '"x', "x'", 'npm_Ab1', '', '\u00e9', '#x', 'x\\', '[x]', '${X}', 'x   ', 'x\t; c',
]
const keys = ['//h.example/', '//h.example/p/', '//g.example:8443/']
const line = () => {
  switch (below(10)) {
    case 0: return pick(['[s]', '[ t ]', '["u"]'])
    case 1: return pick(['# c', '; c', '', '  ', '  ; c', 'save-exact', 'save-exact = true', 'a[] = x'])
    case 2: return 'registry=https://h.example/'
  }
  const key = pick(keys) + ':_authToken'
  const name = pick([key, key, key, `"${key}"`, `'${key}'`, ` ${key}`])
  return name + pick(['=', ' = ', '= ', '\t=']) + pick(values)
}

for (let number = 0; number < Number(process.argv[3]); number += 1) {
  const text = Array.from({ length: 1 + below(6) }, line).join(pick(['\n', '\n', '\r\n'])) + '\n'
  const found = Object.entries(ini.parse(text)).filter(([key, value]) =>
    key.endsWith(':_authToken') && typeof value === 'string' && value !== '' && !value.includes('${'))
  const expected = found.map(([key, value]) => ['https:' + key.slice(0, -'/:_authToken'.length), value])
  console.log(Buffer.from(text).toString('base64') + ' ' + JSON.stringify(expected))
}
