// Without a file here, Vitest would take the one of the repository around this folder.
export default {};
