module plants

go 1.21
