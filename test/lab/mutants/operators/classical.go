// Prints the classical mutants of a file of Go: `go run classical.go -- <file>`. The operators are those of go-mutesting and
// Gremlins, and the texts of StrykerJS. A text that is no type-correct program stays in the list: it will not start.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

type mutant struct {
	Operator string `json:"operator"`
	Source   string `json:"source"`
}

// Each operator becomes another one at a time: boundaries, negations, arithmetic, logic, bits.
var operators = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.AND: {token.OR}, token.OR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
}

var (
	source  []byte
	files   = token.NewFileSet()
	mutants = []mutant{}
)

func main() {
	var err error
	if source, err = os.ReadFile(os.Args[2]); err != nil {
		panic(err)
	}
	file, err := parser.ParseFile(files, "main.go", source, 0)
	if err != nil {
		panic(err)
	}
	for _, declaration := range file.Decls {
		if function, isFunction := declaration.(*ast.FuncDecl); isFunction {
			ast.Inspect(function.Body, mutate)
		} else if group := declaration.(*ast.GenDecl); group.Tok == token.CONST || group.Tok == token.VAR {
			ast.Inspect(group, mutate)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(mutants); err != nil {
		panic(err)
	}
}

func mutate(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.BinaryExpr:
		for _, other := range operators[node.Op] {
			replace("operator", node.OpPos, node.OpPos+token.Pos(len(node.Op.String())), other.String())
		}
		if node.Op == token.LAND || node.Op == token.LOR {
			replace("operand left out", node.Pos(), node.End(), text(node.X))
			replace("operand left out", node.Pos(), node.End(), text(node.Y))
		}
	case *ast.UnaryExpr:
		if node.Op == token.NOT || node.Op == token.SUB {
			replace("sign", node.Pos(), node.End(), text(node.X))
		}
	case *ast.BasicLit:
		mutateLiteral(node)
	case *ast.Ident:
		if node.Name == "true" {
			replace("boolean", node.Pos(), node.End(), "false")
		} else if node.Name == "false" {
			replace("boolean", node.Pos(), node.End(), "true")
		}
	case *ast.IfStmt:
		replace("condition", node.Cond.Pos(), node.Cond.End(), fmt.Sprintf("true || (%s)", text(node.Cond)))
		replace("condition", node.Cond.Pos(), node.Cond.End(), fmt.Sprintf("false && (%s)", text(node.Cond)))
		replace("condition", node.Cond.Pos(), node.Cond.End(), fmt.Sprintf("!(%s)", text(node.Cond)))
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[node.Tok]
		replace("step", node.TokPos, node.End(), other)
	case *ast.ExprStmt, *ast.DeferStmt, *ast.AssignStmt:
		if assignment, isAssignment := node.(*ast.AssignStmt); !isAssignment || assignment.Tok != token.DEFINE {
			replace("statement left out", node.Pos(), node.End(), "")
		}
	case *ast.ReturnStmt:
		for _, result := range node.Results {
			if name, isName := result.(*ast.Ident); isName && name.Name == "err" {
				replace("return", result.Pos(), result.End(), "nil")
			}
		}
	}
	return true
}

func mutateLiteral(literal *ast.BasicLit) {
	switch literal.Kind {
	case token.INT:
		if value, err := strconv.ParseInt(literal.Value, 0, 64); err == nil {
			replace("number", literal.Pos(), literal.End(), strconv.FormatInt(value+1, 10))
			replace("number", literal.Pos(), literal.End(), strconv.FormatInt(value-1, 10))
		}
	case token.STRING:
		other := `""`
		if literal.Value == `""` {
			other = `"mutated"`
		}
		replace("text", literal.Pos(), literal.End(), other)
	}
}

func text(node ast.Node) string {
	return string(source[offset(node.Pos()):offset(node.End())])
}

func offset(position token.Pos) int {
	return files.Position(position).Offset
}

func replace(operator string, from, to token.Pos, other string) {
	mutated := string(source[:offset(from)]) + other + string(source[offset(to):])
	mutants = append(mutants, mutant{operator, mutated})
}
