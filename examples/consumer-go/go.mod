module garden

go 1.19
