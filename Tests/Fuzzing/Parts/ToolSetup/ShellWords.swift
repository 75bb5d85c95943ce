../../ ../../ Sources / ToolSetup / ShellWords.swift
